# The digest is that of the multi-platform index.
ARG NODE_IMAGE=docker.io/library/node:26.10.0-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33

FROM ${NODE_IMAGE} AS packages
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE} AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
COPY tools/start.js tools/
RUN npm ci --include=dev
COPY vite.config.ts ./
COPY tools tools
COPY shared shared
COPY client client
RUN npm run build

FROM ${NODE_IMAGE}
WORKDIR /site
RUN install -d -o node -g node -m 0700 /data /backups
COPY --from=packages /site/node_modules node_modules
# The user `node` reads them, also from a checkout with a narrow umask.
COPY --chmod=755 package.json ./
COPY --chmod=755 shared shared
COPY --chmod=755 server server
COPY --chmod=755 client/public client/public
COPY --from=build /site/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/inbox.sqlite BACKUP_DIR=/backups
USER node
VOLUME ["/data", "/backups"]
EXPOSE 3000
# /readyz fails as soon as the process is told to stop, while it still finishes requests in flight.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --start-interval=500ms --retries=2 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
# Last, because each build changes it, and earlier layers stay cached.
ARG REVISION=unknown
ENV REVISION=${REVISION}
LABEL org.opencontainers.image.title="RG website" \
      org.opencontainers.image.licenses="LicenseRef-UNLICENSED" \
      org.opencontainers.image.revision="${REVISION}"
