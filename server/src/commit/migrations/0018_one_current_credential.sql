-- At most one set of credentials of a marketplace is current at each provider.
drop index provider_credentials_current;
create unique index provider_credentials_current on provider_credentials (marketplace_id, provider) where replaced_at is null;
