/**
 * Where a Worker's file is: beside the sources, or inside the executable, whose entry points keep their place below
 * `src` while the code that starts them is gathered into chunks at the root. `path` is below `src`, without ending.
 */
export function workerUrl(path: string): URL {
  return new URL(Bun.isStandaloneExecutable ? `./${path}.js` : `./${path}.ts`, import.meta.url);
}
