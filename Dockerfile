# One cellrace server. Its races are in /data, which wants a volume, unless CELLRACE_STORE names a Redis, which many may share.

FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/cellrace
ENV PATH=/opt/cellrace/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements/solver.txt requirements/
RUN pip install --require-hashes -r requirements/solver.txt
COPY pyproject.toml README.md LICENSE ./
COPY protocol protocol/
COPY server server/
COPY client_cli client_cli/
RUN pip install --no-deps --no-build-isolation .

FROM python:3.12-slim
RUN apt-get update && apt-get install --yes --no-install-recommends libfreecell-solver0 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin cellrace \
    && install --directory --owner=cellrace --group=cellrace /data
COPY --from=build /opt/cellrace /opt/cellrace
ENV PATH=/opt/cellrace/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    CELLRACE_HOST=0.0.0.0 \
    CELLRACE_PORT=8765 \
    CELLRACE_STORE=sqlite:/data/races.sqlite
USER cellrace
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ['CELLRACE_PORT']}/readyz\", timeout=2)"]
CMD ["cellrace-server", "serve", "--host", "0.0.0.0"]
