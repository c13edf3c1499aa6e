import { Field } from './field.tsx';
import { Button } from './form.tsx';

/** The longest search in a book, in code points. */
export const LONGEST_SEARCH = 200;

/** The form that searches one book. */
export function SearchForm({ slug, words }: { readonly slug: string; readonly words: string }) {
  return (
    <form class="search" action={`/books/${slug}/search`} role="search">
      <Field
        label="Search in this book"
        name="q"
        type="search"
        value={words}
        maxLength={LONGEST_SEARCH}
        required
      />
      <Button kind="quiet">Search</Button>
    </form>
  );
}
