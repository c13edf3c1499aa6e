# Takes the compiled program: the folder of a Linux archive is a context, and so is dist after `npm run build`:
# docker build -t bookstall -f Dockerfile dist
#
# The program needs only the C library; content and data are mounted, and everything else may be
# read-only (--read-only).
FROM debian:bookworm-slim
COPY bookstall /usr/local/bin/bookstall
RUN install -d -o 10001 -g 10001 -m 0700 /stall/data && install -d /stall/content
WORKDIR /stall
USER 10001:10001
ENV BOOKSTALL_HOST=0.0.0.0
EXPOSE 7070
VOLUME ["/stall/content", "/stall/data"]
# The base image has no curl, but a shell that opens sockets. The first compile of a large stall may take minutes.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/${BOOKSTALL_PORT:-7070} && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# Running answers get 25 s to end: stop with `docker stop --time 30`, or `stop_grace_period: 30s` in a compose file.
ENTRYPOINT ["bookstall"]
CMD ["serve"]
