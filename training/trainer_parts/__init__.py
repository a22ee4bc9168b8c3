"""Components shared by the trainers, such as rewards, curriculum, validation and early stopping."""
