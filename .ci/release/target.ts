/** One platform a release is made for: Bun's name of it, the npm package its runtime comes in, and what file(1) says of its programs. */
export type Target = {
  readonly name: string;
  readonly bun: string;
  readonly runtime: string;
  readonly executable: RegExp;
};

const ELF = 'ELF 64-bit LSB';

/** Every target. There is one x64 build each: Bun chooses between SSE4.2 and AVX2 when it runs. */
export const TARGETS: readonly Target[] = [
  target('linux-x64', 'linux-x64', 'linux-x64', `${ELF} .*x86-64.*/lib64/ld-linux-x86-64`),
  target('linux-arm64', 'linux-arm64', 'linux-aarch64', `${ELF} .*ARM aarch64.*/lib/ld-linux-aarch64`),
  target('linux-x64-musl', 'linux-x64-musl', 'linux-x64-musl', `${ELF} .*x86-64.*/lib/ld-musl-x86_64`),
  target(
    'linux-arm64-musl',
    'linux-arm64-musl',
    'linux-aarch64-musl',
    `${ELF} .*aarch64.*/lib/ld-musl-aarch64`,
  ),
  target('macos-arm64', 'darwin-arm64', 'darwin-aarch64', 'Mach-O 64-bit arm64 executable'),
  target('macos-x64', 'darwin-x64', 'darwin-x64', 'Mach-O 64-bit x86_64 executable'),
  target('windows-x64', 'windows-x64', 'windows-x64', 'PE32\\+ executable \\(console\\) x86-64'),
];

function target(name: string, bun: string, runtime: string, executable: string): Target {
  return { name, bun: `bun-${bun}`, runtime: `@oven/bun-${runtime}`, executable: new RegExp(executable) };
}

/** The program's file name on a target. */
export function programName({ name }: Target): string {
  return name.startsWith('windows') ? 'bookstall.exe' : 'bookstall';
}
