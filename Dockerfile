ARG NODE_IMAGE=docker.io/library/node:26-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.js scripts/
RUN npm ci --include=dev
COPY vite.config.ts ./
COPY build build
COPY client client
COPY shared shared
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="RG website" \
      org.opencontainers.image.description="Bilingual website of Groupe RG / RG Group, with its inbox"
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
    && install -d -o 10001 -g 10001 -m 0700 /data
WORKDIR /site
COPY package.json ./
COPY --from=packages /site/node_modules node_modules
COPY --from=build /site/dist dist
COPY shared shared
COPY server server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/inbox.sqlite
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
