# docker build -t rma .
# How to run it, and how to pin the image below by its digest: docs/containers.md
ARG NODE_IMAGE=node:24-bookworm-slim

# The package with its dependencies for this platform, as `npm run pack:offline` packs it.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node tools/pack.mjs --unpacked /rma && chmod 755 /rma/bin/run.js

FROM ${NODE_IMAGE}
COPY --from=build /rma /opt/rma
RUN ln -s /opt/rma/bin/run.js /usr/local/bin/rma \
  && install -d -m 700 -o 1000 -g 1000 /data /work
# All that rma writes, so that the root file system may be read-only.
ENV RMA_CONFIG_DIR=/data/config RMA_DATA_DIR=/data/data RMA_CACHE_DIR=/data/cache
VOLUME ["/data"]
WORKDIR /work
# By number, so that Kubernetes sees that it is not root.
USER 1000:1000
EXPOSE 4010
# Of `sandbox start`, with or without TLS; other commands are run with --no-healthcheck.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s \
  CMD rma sandbox requests --last 1 >/dev/null || exit 1
ENTRYPOINT ["rma"]
CMD ["sandbox", "start", "--host", "0.0.0.0", "--allow-remote"]
