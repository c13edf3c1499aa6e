import { Button, Field } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';

export const LONGEST_SEARCH = 200;

export function SearchForm({ slug, words }: { readonly slug?: string; readonly words: string }) {
  const { reading } = useWords();
  return (
    <form class="search" action={slug === undefined ? '/search' : `/books/${slug}/search`} role="search">
      <Field
        label={slug === undefined ? reading.find.everywhere : reading.find.inBook}
        name="q"
        type="search"
        value={words}
        maxLength={LONGEST_SEARCH}
        required
      />
      <Button kind="quiet">{reading.search}</Button>
    </form>
  );
}
