// bun run bench:quote-proofs: proofs of true and forged quotes, by the three checkers; and what proofs cost.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { checkProof } from '../../src/catalog/quote-proof.rule.ts';
import { branchesOf, growTree } from '../../src/catalog/quote-tree.rule.ts';
import { verifySshSignature } from '../../src/catalog/ssh-signature.rule.ts';
import { checkByHandbook } from '../asking/handbook-checker.ts';
import { CHROMIUM } from '../browser/executable.ts';
import { createRandom, FORGERIES, proveRandom, randomBook, signBook } from '../catalog/proof-cases.ts';
import { createSigner, signQuotes } from '../catalog/signing.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { endChildren, freePort } from './child.ts';
import { alternate } from './rounds.ts';
import { scratch, startStall } from './stall-process.ts';

const CASES = 1000;
const random = createRandom(2026);
const signer = createSigner('ssh-ed25519');
const books = Array.from({ length: 10 }, (_, n) => randomBook(`book-${n}`, random));
const signed = books.map((book) => signBook(book, signer));
const cases = await Promise.all(
  Array.from({ length: CASES }, (_, n) => proveRandom(books[n % 10]!, signed[n % 10]!, random)),
);
const forgeries = Object.values(FORGERIES);
const forged = cases.map(({ proof }, n) => {
  for (let turn = n; ; turn++) {
    const made = forgeries[turn % forgeries.length]!(proof, random, cases[(n + 1) % CASES]!.proof);
    // A tree of one leaf has no audit path that could be changed.
    if (!Bun.deepEquals(made, proof)) return made;
  }
});
const proofs = [...cases.map(({ proof }) => proof), ...forged].map((proof) => JSON.stringify(proof));

async function checkInBrowser(): Promise<readonly boolean[]> {
  const directory = scratch('proofs');
  const stall = await startStall(directory, join(directory, 'data'), freePort());
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  const page = await browser.newPage();
  await page.goto(`${stall.url}/check-quote`);
  const found: boolean[] = [];
  for (const json of proofs) {
    const file = { name: 'quote.json', mimeType: 'application/json', buffer: Buffer.from(json) };
    await page.locator('#proof-file').setInputFiles(file);
    const result = page.locator('[data-result]:not([hidden])');
    await result.waitFor();
    found.push((await result.getAttribute('data-result')) === 'good');
  }
  await browser.close();
  return found;
}

const byProgram = await Promise.all(
  proofs.map((json) =>
    checkProof(json, {
      sha256: (bytes) => createHash('sha256').update(bytes).digest(),
      verify: verifySshSignature,
    }),
  ),
);
const results = {
  'the program (node:crypto)': byProgram.map((one) => one !== null),
  'the page (Web Crypto, Chromium)': await checkInBrowser(),
  'the Handbook (Python, ssh-keygen)': (await checkByHandbook(proofs, signer.fingerprint)).map(
    (said) => said !== null,
  ),
};
const count = (list: readonly boolean[]): number => list.filter((one) => one).length;
console.log('| checker | true, taken | forged, refused |\n| --- | ---: | ---: |');
for (const [name, found] of Object.entries(results))
  console.log(
    `| ${name} | ${count(found.slice(0, CASES))} of ${CASES} | ${CASES - count(found.slice(CASES))} of ${CASES} |`,
  );

const extra = cases.map(
  ({ proof, quote }) =>
    Buffer.byteLength(proof.pieces.map(({ text }) => text).join('')) - Buffer.byteLength(quote),
);
const mean = (list: readonly number[]): number =>
  Math.round(list.reduce((sum, one) => sum + one, 0) / list.length);
console.log(
  `\nA proof is ${mean(proofs.slice(0, CASES).map(({ length }) => length))} bytes on average, and discloses ${mean(extra)} bytes more than its quote, at most ${Math.max(...extra)}.`,
);

const large = new Map<string, Buffer>(
  Array.from(
    { length: 80 },
    (_, n) => [`${n}.md`, Buffer.from('Of tides and marshes. '.repeat(4767))] as const,
  ),
);
const list = [...large].map(([path, { length: size }]) => ({ path, size }));
const begin = performance.now();
const tree = growTree(list, (path) => large.get(path)!)!;
const grown = performance.now() - begin;
const times: number[] = [];
for (let n = 0; n < 200; n++) {
  const from = random(100_000);
  const at = performance.now();
  await branchesOf(tree, { path: `${random(80)}.md`, from, to: from + 350 }, async (path) =>
    large.get(path)!,
  );
  times.push(performance.now() - at);
}
times.sort((a, b) => a - b);
console.log(
  `A book of 8 MiB: its tree takes ${Math.round(grown)} ms, a proof ${times[100]!.toFixed(1)} ms (99 of 100 within ${times[198]!.toFixed(1)} ms).`,
);

const ROUNDS = 12;
const words = (count: number): string => Array.from({ length: count }, () => `w${random(3000)}`).join(' ');
const chapters = Object.fromEntries(
  Array.from({ length: 80 }, (_, n) => [`books/large/${100 + n}.md`, `# ${n}\n\n${words(18_000)}\n`]),
);
const [plain, withProofs] = ['plain', 'signed'].map((name) => {
  const folder = scratch(name);
  const yaml = itemYaml({ id: 'large', title: 'The large book', version: '1.0' });
  writeFiles(folder, { 'books/large/item.yaml': yaml, ...chapters });
  return folder;
}) as [string, string];
signQuotes(withProofs, 'books/large', signer);

/** The processor time of a first start until the book is compiled, in milliseconds. */
async function compileTime(content: string): Promise<number> {
  const stall = await startStall(content, join(scratch('compiled'), 'data'), freePort());
  while (!(await fetch(`${stall.url}/books/large`)).ok) await Bun.sleep(5);
  // Behind the name: user and system time in ticks of 10 ms, of the process and of its children.
  const times = readFileSync(`/proc/${stall.pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 15);
  await stall.stop();
  return 10 * times.reduce((sum, one) => sum + Number(one), 0);
}
const took = await alternate(ROUNDS, {
  unsigned: () => compileTime(plain),
  signed: () => compileTime(withProofs),
});
console.log(
  `A first start over it takes ${took.unsigned} ms of processor time without signed quotes, ${took.signed} ms with (${(took.signed / took.unsigned).toFixed(3)}).`,
);
await endChildren();
process.exit(0);
