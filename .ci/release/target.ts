/** One platform of a release: Bun's name for it, the npm package with its runtime, and the packages that are made for it. */
export type Target = {
  readonly name: string;
  readonly bun: string;
  readonly runtime: string;
  /** Debian's name of the architecture, or null for no .deb. */
  readonly deb: 'amd64' | 'arm64' | null;
  /** Node's names, or null for no npm package: only programs that run as npm unpacks them get one. */
  readonly npm: { readonly os: string; readonly cpu: string; readonly libc?: 'glibc' | 'musl' } | null;
};

/** Every target. Each system has one x64 build: Bun chooses between SSE4.2 and AVX2 at run time. */
export const TARGETS: readonly Target[] = [
  {
    ...target('linux-x64', 'linux-x64', 'linux-x64'),
    deb: 'amd64',
    npm: { os: 'linux', cpu: 'x64', libc: 'glibc' },
  },
  {
    ...target('linux-arm64', 'linux-arm64', 'linux-aarch64'),
    deb: 'arm64',
    npm: { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  },
  {
    ...target('linux-x64-musl', 'linux-x64-musl', 'linux-x64-musl'),
    npm: { os: 'linux', cpu: 'x64', libc: 'musl' },
  },
  {
    ...target('linux-arm64-musl', 'linux-arm64-musl', 'linux-aarch64-musl'),
    npm: { os: 'linux', cpu: 'arm64', libc: 'musl' },
  },
  { ...target('macos-arm64', 'darwin-arm64', 'darwin-aarch64'), npm: { os: 'darwin', cpu: 'arm64' } },
  // Without a package: it must be signed again on a Mac.
  target('macos-x64', 'darwin-x64', 'darwin-x64'),
  // Without a package: no test starts it.
  target('windows-x64', 'windows-x64', 'windows-x64'),
];

function target(name: string, bun: string, runtime: string): Target {
  return { name, bun: `bun-${bun}`, runtime: `@oven/bun-${runtime}`, deb: null, npm: null };
}

/** Returns the program's file name on a target. */
export function programName({ name }: Target): string {
  return name.startsWith('windows') ? 'bookstall.exe' : 'bookstall';
}
