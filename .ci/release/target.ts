/** One platform of a release: Bun's name for it, and the npm package with its runtime. */
export type Target = { readonly name: string; readonly bun: string; readonly runtime: string };

/** Every target. Each system has one x64 build: Bun chooses between SSE4.2 and AVX2 at run time. */
export const TARGETS: readonly Target[] = [
  target('linux-x64', 'linux-x64', 'linux-x64'),
  target('linux-arm64', 'linux-arm64', 'linux-aarch64'),
  target('linux-x64-musl', 'linux-x64-musl', 'linux-x64-musl'),
  target('linux-arm64-musl', 'linux-arm64-musl', 'linux-aarch64-musl'),
  target('macos-arm64', 'darwin-arm64', 'darwin-aarch64'),
  target('macos-x64', 'darwin-x64', 'darwin-x64'),
  target('windows-x64', 'windows-x64', 'windows-x64'),
];

function target(name: string, bun: string, runtime: string): Target {
  return { name, bun: `bun-${bun}`, runtime: `@oven/bun-${runtime}` };
}

/** The program's file name on a target. */
export function programName({ name }: Target): string {
  return name.startsWith('windows') ? 'bookstall.exe' : 'bookstall';
}
