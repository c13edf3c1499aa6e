/** Below a wildcard Elysia reads a HEAD answer's body to count its bytes: this body claims `size` bytes and holds none. */
export function countedBody(size: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength: size });
      controller.close();
    },
  });
}
