# The program with what it needs to fetch models and statutes: Python's pip, nothing else.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3 python3-pip \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 nyaya \
    && mkdir /data && chown nyaya /data
COPY --from=build /src/target/release/nyaya /usr/local/bin/nyaya
USER nyaya
# One volume holds the knowledge base and the models.
ENV NYAYA_KB=/data/kb NYAYA_MODELS=/data/models
VOLUME /data
WORKDIR /data
ENTRYPOINT ["nyaya"]
CMD ["--help"]
