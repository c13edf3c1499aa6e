/**
 * The address of a Worker's file: beside the sources, or inside the executable, whose entry points keep their place below
 * `src` although the code that starts them is gathered into chunks at the root. `path` is below `src`, without extension.
 */
export function workerUrl(path: string): URL {
  return new URL(Bun.isStandaloneExecutable ? `./${path}.js` : `./${path}.ts`, import.meta.url);
}
