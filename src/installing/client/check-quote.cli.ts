import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { checkProof, isProof, LONGEST_PROOF, type ProvenQuote } from '../../catalog/quote-proof.rule.ts';
import { verifySshSignature } from '../../catalog/ssh-signature.rule.ts';
import { quote } from '../../platform/base/problem.ts';
import { messageOf, Refusal } from '../../platform/base/refusal.ts';
import type { Command } from '../../platform/cli/command.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import { readerCommand } from './reader-command.ts';

export const checkQuoteCommand: Command = readerCommand({
  name: 'check-quote',
  synopsis: 'FILE',
  summary: 'Check the proof of a quote, without the book',
  about:
    'It shows that the holder of a key signed an edition with these words. The key is the one given, or that of the same item installed here; with neither, the exit code is 1.',
  flags: { '--signer SHA256:…': 'the key that must have signed' },
  examples: ['bookstall check-quote quote.json'],
  async run(context, input, { out, isJson, json }) {
    const proven = await readProven(input.word);
    const wanted = input.text('signer');
    const pins = (await context.manifests.list()).filter(
      ({ slug, signer }) => slug === proven.slug && signer,
    );
    const isKnown =
      wanted === null ? pins.some(({ signer }) => signer?.key === proven.key) : wanted === proven.key;
    if (isJson) json({ ...proven, isKnown });
    else out(`${linesOf(proven).map(plain).join('\n')}\n`);
    if (wanted !== null && !isKnown)
      throw Refusal.damaged(`Cannot take this proof: ${proven.key} signed it, and not ${quote(wanted)}`);
    if (!isKnown)
      context.say(
        'Nothing here says whose key this is: compare it with the one that the author names, and give it with --signer',
      );
    return isKnown;
  },
});

async function readProven(file: string): Promise<ProvenQuote> {
  const json = readProof(file);
  const proven = await checkProof(json, {
    sha256: (bytes) => createHash('sha256').update(bytes).digest(),
    verify: verifySshSignature,
  });
  if (proven !== null) return proven;
  const reason = isProof(json)
    ? 'the proof fails, since it was changed after it was made, or made up'
    : 'it is no proof of a quote; a proof is the file that the button "Proof" beside a quote gives';
  throw Refusal.damaged(`Cannot take ${quote(file)}: ${reason}`);
}

function readProof(file: string): string {
  try {
    return statSync(file).size > 4 * LONGEST_PROOF ? '' : readFileSync(file, 'utf8');
  } catch (error) {
    throw Refusal.missing(`Cannot read ${quote(file)}: ${messageOf(error)}`);
  }
}

const linesOf = ({ before, quote: words, after, slug, version, path, key, signed }: ProvenQuote) => [
  // Indented, so that no line of the book can pass for one of those below.
  ...`${before}»${words}«${after}`
    .trim()
    .split('\n')
    .map((line) => `    ${line}`),
  '',
  `book     ${slug}${version === null ? '' : `, version ${version}`}`,
  `text     ${path}`,
  `signer   ${key}`,
  `signed   ${signed}, as the signer says`,
];
