-- Sessions of operators that ended long ago are deleted by this time.
create index operator_sessions_ended on operator_sessions (marketplace_id, expires_at);
