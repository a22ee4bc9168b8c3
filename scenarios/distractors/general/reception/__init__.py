"""The reception: permits, badges, lost and found."""
