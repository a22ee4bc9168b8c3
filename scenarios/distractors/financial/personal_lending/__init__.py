"""Personal lending before an application: what the branch tells a visitor."""
