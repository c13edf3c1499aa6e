import type { Edition } from '../catalog/catalog.ts';
import { Button } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import { LONGEST_EXACT } from './anchor.rule.ts';
import type { TextSlice } from './markup/rendered.ts';
import { notesAddress } from './note.ts';

type KeepProps = {
  readonly edition: Edition;
  readonly citation: TextSlice & {
    readonly path: string;
    readonly marked?: readonly (readonly [start: number, end: number])[] | undefined;
  };
};

export function KeepCitation({ edition, citation }: KeepProps) {
  const { language, reading } = useWords();
  const isShort = ({ start, end }: TextSlice) => end - start <= LONGEST_EXACT;
  const likeliest = (citation.marked ?? []).map(([start, end]) => ({ start, end }));
  const slice = [citation, ...likeliest].find(isShort);
  if (slice === undefined) return null;
  const { start, end } = slice;
  const fields = { path: citation.path, start, end, edition: edition.digest.slice(0, 12) };
  return (
    <form action={notesAddress(edition.manifest)} method="post" target="_blank" class="keep" lang={language}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button kind="quiet">{reading.notes.keep}</Button>
    </form>
  );
}
