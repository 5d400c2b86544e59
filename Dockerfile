# Two stages: everything that building takes stays in the first; the second holds Node, the program and the packages it loads.
FROM node:24-trixie-slim AS build
# re2 is a native module: without a prebuilt binary at hand its source is compiled here.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends binutils g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/build.mjs scripts/kernels.mjs scripts/link.mjs scripts/read-ahead.mjs scripts/
COPY kernel kernel
COPY src src
COPY workers workers
# The build also copies the data of the tests; there are none here, and their folder is all it misses.
RUN mkdir -p test/fixtures && node scripts/build.mjs
COPY deploy/image/prune.mjs deploy/image/
# What is left is listed as it is, after the cut and not before it: the list of contents names what is really there.
RUN node deploy/image/prune.mjs . \
  && npm pkg delete devDependencies scripts allowScripts \
  && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

FROM node:24-trixie-slim
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="guard" \
      org.opencontainers.image.description="Inline security proxy for LLM traffic" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Each thread has a part of the heap of its own otherwise, and what it frees there is lost to the others: 40 MB of 340.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /build/package.json /build/sbom.cdx.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist/src dist/src
COPY --from=build /build/dist/workers dist/workers
COPY LICENSE CHANGELOG.md ./
# Mount a file over it to replace it.
COPY src/config/default.yaml /etc/guard/config.yaml
# By number, so that `runAsNonRoot` can be verified. Nothing in the image belongs to it: the program writes no file.
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=2 CMD ["node", "/app/dist/src/main.js", "healthcheck"]
# Exec form: a shell in between would keep SIGTERM to itself, and every deploy would cut what is under way.
ENTRYPOINT ["node", "/app/dist/src/main.js"]
CMD ["serve"]
