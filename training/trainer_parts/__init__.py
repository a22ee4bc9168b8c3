"""Parts of trainers: rewards, curriculum, validation, stopping."""
