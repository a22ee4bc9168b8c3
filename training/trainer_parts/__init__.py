"""Parts that trainers are put together from: rewards, curriculum, validation, stopping."""
