// The compose file that `init` writes: the server from an image, and its PostgreSQL. A test compares it with deploy/compose.yaml, which
// builds the image itself.

type Compose = { readonly image: string; readonly port: number };

export const composeFile = ({
  image,
  port,
}: Compose): string => `# Holdfast with its own PostgreSQL: docker compose up --detach
# Settings and secrets are in .env, beside this file.
# \`--profile redis\` adds a Redis in which several servers share the rate limits; then also set REDIS_URL.

name: holdfast

services:
  server:
    image: ${image}
    restart: always
    depends_on:
      postgres:
        condition: service_healthy
    env_file: .env
    environment:
      DATABASE_URL: postgres://holdfast:\${DATABASE_PASSWORD:?}@postgres:5432/holdfast
      MASTER_KEY: \${MASTER_KEY:?}
      JWT_SECRET: \${JWT_SECRET:?}
      WALLET_KEK: \${WALLET_KEK:?}
      METRICS_TOKEN: \${METRICS_TOKEN:?}
      SANDBOX: \${SANDBOX:-off}
      TRUST_PROXY: \${TRUST_PROXY:-off}
      REDIS_URL: \${REDIS_URL:-}
    ports:
      - "127.0.0.1:${port}:4000"
    volumes:
      - data:/var/lib/holdfast
    tmpfs:
      - /tmp
    read_only: true
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    # Longer than SHUTDOWN_GRACE_MS, so that no request is cut off.
    stop_grace_period: 30s

  postgres:
    image: postgres:18-bookworm
    restart: always
    environment:
      POSTGRES_USER: holdfast
      POSTGRES_DB: holdfast
      POSTGRES_PASSWORD: \${DATABASE_PASSWORD:?}
      POSTGRES_INITDB_ARGS: --data-checksums
    # A confirmed commit is on disk: never turn these off.
    command: ["postgres", "-c", "fsync=on", "-c", "full_page_writes=on", "-c", "synchronous_commit=on", "-c", "jit=off"]
    volumes:
      - postgres:/var/lib/postgresql
    shm_size: 256mb
    stop_grace_period: 1m
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U holdfast -d holdfast"]
      interval: 5s
      timeout: 3s
      retries: 20

  redis:
    image: redis:7-bookworm
    profiles: [redis]
    restart: always
    command: ["redis-server", "--save", "", "--appendonly", "no"]
    read_only: true
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]

volumes:
  data:
  postgres:
`;
