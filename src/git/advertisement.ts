// What GET …/info/refs answers over smart HTTP: gitprotocol-http(5), and gitprotocol-v2(5) for version 2.
import type { History } from './history.ts';
import { FLUSH, packetLine } from './packet-line.ts';
import type { Dialect } from './upload-request.ts';

const AGENT = 'agent=bookstall';
const FORMAT = 'object-format=sha1';

const CAPABILITIES = [
  'side-band-64k',
  'ofs-delta',
  'shallow',
  'no-progress',
  'include-tag',
  'allow-tip-sha1-in-want',
  'symref=HEAD:refs/heads/main',
  FORMAT,
  AGENT,
].join(' ');

export const ADVERTISEMENT_TYPE = 'application/x-git-upload-pack-advertisement';

const SERVICE = packetLine('# service=git-upload-pack\n') + FLUSH;

/** The answer for version 2, the same of every repository: branches are asked for apart. */
export const CAPABILITIES_2: string = [
  SERVICE,
  ...['version 2', AGENT, 'ls-refs', 'fetch=shallow', FORMAT].map((line) => packetLine(`${line}\n`)),
  FLUSH,
].join('');

/** The answer to a client: for version 0 one branch, `main`, and where its history is cut if the client knows cuts. */
export function advertise({ tip, joints }: History, dialect: Dialect): string {
  if (dialect === 2) return CAPABILITIES_2;
  return [
    SERVICE,
    packetLine(`${tip} HEAD\0${CAPABILITIES}\n`),
    packetLine(`${tip} refs/heads/main\n`),
    ...(dialect === 'uncut' ? [] : joints.map(({ commit }) => packetLine(`shallow ${commit.id}\n`))),
    FLUSH,
  ].join('');
}

/** The branches, for version 2. */
export function listRefs({ tip }: History): string {
  return [
    packetLine(`${tip} HEAD symref-target:refs/heads/main\n`),
    packetLine(`${tip} refs/heads/main\n`),
    FLUSH,
  ].join('');
}
