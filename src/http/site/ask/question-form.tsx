import type { Edition } from '../../../catalog/edition.ts';
import { TextArea } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';

type QuestionFormProps = {
  readonly edition: Edition;
  readonly token: string;
  readonly question: string;
  readonly samples: readonly string[];
};

/** The form that asks a book; its token counts once, so that a reload asks nothing. */
export function QuestionForm({ edition: { manifest }, token, question, samples }: QuestionFormProps) {
  return (
    <Form action={`/books/${manifest.slug}/ask`} label="Ask the book">
      <input type="hidden" name="token" value={token} />
      <TextArea
        label="Your question"
        name="question"
        value={question}
        rows={3}
        hint="The question is not stored."
      />
      <Button>Ask</Button>
      {samples.length > 0 && (
        <div class="samples">
          <p>Or ask one of these:</p>
          {samples.map((sample) => (
            <Button key={sample} kind="quiet" name="sample" value={sample}>
              {sample}
            </Button>
          ))}
        </div>
      )}
    </Form>
  );
}
