import { readFileSync, statSync } from 'node:fs';
import { messageOf, Refusal } from '../base/refusal.ts';

export type Environment = Readonly<Record<string, string | boolean | undefined>>;

/** The maximum number of bytes of a file with a secret. Every secret, list of secrets and URL is shorter. */
const LONGEST_SECRET = 64 * 1024;

/**
 * Reads an environment variable whose value may also be in the file that `<name>_FILE` names, as is usual for secrets of
 * containers; '' if neither is set. Removes white space around the value. Refuses both at once, and a file that cannot be read;
 * no refusal repeats the value.
 */
export function readSecretVariable(name: string, environment: Environment): string {
  const value = textOf(environment[name]);
  const file = textOf(environment[`${name}_FILE`]);
  if (file === '') return value;
  if (value === '') return readSecretFile(name, file);
  throw Refusal.invalid(`Cannot use ${name} and ${name}_FILE together: set one of them`);
}

/**
 * Makes a function that reads and parses a setting. If the parser refuses, the function reports that instead of throwing, and
 * returns undefined, which must not be used.
 */
export const createAttempt =
  <Name extends string>(read: (name: Name) => string, report: (name: Name, problem: string) => void) =>
  <T>(name: Name, parse: (text: string) => T): T => {
    try {
      return parse(read(name));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      report(name, error.message);
      return undefined as T;
    }
  };

function readSecretFile(name: string, file: string): string {
  const refuse = (reason: string): Refusal =>
    Refusal.invalid(`Cannot read the file that ${name}_FILE names: ${reason}`);
  let text: string;
  try {
    if (statSync(file).size > LONGEST_SECRET)
      throw refuse(`it has more than ${LONGEST_SECRET} bytes; name a file with the value alone`);
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : refuse(`${messageOf(error)}; name a file that this user can read`);
  }
  if (text === '') throw refuse('it is empty; write the value into it');
  return text;
}

const textOf = (value: string | boolean | undefined): string => String(value ?? '').trim();
