/** Called for each frame that was sent, and once at the end, however the stream ends. */
type FrameListener = { readonly sent: (bytes: number) => void; readonly end: () => void };

/** A body of frames that asks for the next one only after the connection took the last: a reader who pauses pauses the source. */
export function createFrameStream(
  frames: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  listener: FrameListener,
): ReadableStream<Uint8Array> {
  let isEnded = false;
  const finish = (): void => {
    if (isEnded) return;
    isEnded = true;
    listener.end();
  };
  return new ReadableStream<Uint8Array>({
    // Bun reads a generator, or a stream of another type, as fast as it yields, and keeps all the bytes.
    type: 'direct',
    async pull(controller) {
      try {
        for await (const frame of frames) {
          void controller.write(frame);
          // True: waits until the connection took it.
          await controller.flush(true);
          listener.sent(frame.length);
        }
        controller.close();
      } finally {
        finish();
      }
    },
    // Bun calls it if the client leaves; `pull` may then wait forever.
    cancel() {
      finish();
      void frames.return(undefined).catch(() => {});
    },
  });
}
