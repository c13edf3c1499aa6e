import { createInterface } from 'node:readline';
import { Refusal } from '../base/refusal.ts';
import type { Terminal } from './command.ts';

/**
 * Asks a yes-or-no question at the terminal. Refuses unless the answer is yes, and always without a terminal. `kept` says what
 * was left unchanged, `remedy` how to proceed.
 */
export async function confirm(
  { isTerminal, err }: Terminal,
  question: string,
  kept: string,
  remedy = '--yes goes on without this question',
): Promise<void> {
  if (isTerminal && process.stdin.isTTY) {
    err(`${question} [y/N] `);
    const lines = createInterface({ input: process.stdin, terminal: false });
    const { value: line = '' } = await lines[Symbol.asyncIterator]().next();
    lines.close();
    if (/^y(es)?$/i.test(line.trim())) return;
  }
  throw Refusal.invalid(`Stopped: ${kept}; ${remedy}`);
}
