"""Games, music and photographs."""
