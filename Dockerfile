# The digest is that of the multi-platform index.
ARG NODE_IMAGE=docker.io/library/node:26.10.0-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33

FROM ${NODE_IMAGE} AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
COPY tools/start.js tools/
RUN npm ci --include=dev
COPY vite.config.ts ./
COPY tools/vite tools/vite
COPY client client
COPY shared shared
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
# Deletes types, source maps and zod's sources: a third of the packages' size, and the site does not read them.
RUN npm ci --omit=dev \
    && find node_modules \( -name '*.d.ts' -o -name '*.d.?ts' -o -name '*.map' \) -delete \
    && rm -rf node_modules/zod/src

FROM ${NODE_IMAGE} AS site
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
    && install -d -o 10001 -g 10001 -m 0700 /data /backups
WORKDIR /site
COPY package.json ./
COPY --from=packages /site/node_modules node_modules
COPY shared shared
COPY server server
COPY deploy/backup.sh deploy/
COPY --from=build /site/client/public client/public
COPY --from=build /site/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/inbox.sqlite
USER 10001:10001
VOLUME /data
EXPOSE 3000
# /readyz fails as soon as the process is told to stop, while it still finishes requests in flight.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=2 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/main.js"]

# Fills Node's compile cache with the code for each kind of store.
# Node keeps a cache for each user. The site runs the cached code, so only root may write it.
FROM site AS compiled
USER root
RUN install -d -o 10001 node_modules/.cache
USER 10001:10001
ENV METRICS_PORT=9090 MAIL_FROM=site@example.ca MAIL_TO=site@example.ca SMTP_URL=smtp://127.0.0.1?tls=off
RUN node -e "import('./server/main.js').then(() => process.kill(process.pid))" \
    && DATABASE_URL=postgres://127.0.0.1/none node -e "import('./server/main.js').then(() => process.kill(process.pid))"
USER root
RUN chown -R root:root node_modules/.cache && chmod -R a=rX node_modules/.cache

FROM site
COPY --from=compiled /site/node_modules/.cache node_modules/.cache
# Labels come last: every build changes them, and earlier layers stay cached.
ARG VERSION=0.1.0
ARG REVISION=unknown
ENV REVISION=${REVISION}
LABEL org.opencontainers.image.title="RG website" \
      org.opencontainers.image.description="Bilingual website of Groupe RG / RG Group, with its inbox" \
      org.opencontainers.image.licenses="LicenseRef-UNLICENSED" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
