import {
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { Refusal } from '../base/refusal.ts';
import { isLonger, listed } from '../base/text.ts';

/**
 * The TypeBox kind of texts in requests. It counts lengths in code points, as JSON Schema demands; TypeBox counts UTF-16 units.
 */
const TEXT = 'Bookstall text';
type Rules = { readonly minLength?: 1; readonly maxLength?: number; readonly enum?: readonly string[] };

TypeRegistry.Set<Rules>(TEXT, ({ minLength, maxLength = Infinity, enum: words }, value) => {
  if (typeof value !== 'string' || isLonger(value, maxLength)) return false;
  return (minLength === undefined || value.trim() !== '') && (words?.includes(value) ?? true);
});

export const { Optional: optional, Array: array } = Type;
export const object = <Fields extends TProperties>(fields: Fields) => Type.Object(fields);
export const partial = <Fields extends TProperties>(fields: Fields) => Type.Partial(Type.Object(fields));
export const text = (description?: string, rules: Rules = {}) =>
  Type.Unsafe<string>({ [Kind]: TEXT, type: 'string', description, ...rules });
export const oneOf = <Word extends string>(words: readonly Word[], description?: string) =>
  Type.Unsafe<Word>({ [Kind]: TEXT, type: 'string', description, enum: words });
export const flag = (description: string, otherwise: boolean) =>
  Type.Boolean({ default: otherwise, description });
export const count = (description?: string) => Type.Integer({ minimum: 0, description });
export const nullable = <Shape extends TSchema>(shape: Shape, description?: string) =>
  Type.Union([shape, Type.Null()], { description });
export const each = <Shape extends TSchema, Name extends string>(shape: Shape, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, Shape>;

export const whole = (rules: { minimum: number; maximum: number; default?: number; description?: string }) =>
  Type.Integer(rules);

const checks = new WeakMap<TObject, TypeCheck<TObject>>();

/**
 * Checks fields against a shape, and returns a copy. Refuses the first field that does not fit, in a sentence that begins with
 * `act`, such as "Cannot ask".
 */
export function readFields<Shape extends TObject>(
  shape: Shape,
  given: Readonly<Record<string, unknown>>,
  act: string,
): Static<Shape> {
  const check = checks.getOrInsertComputed(shape, () => TypeCompiler.Compile<TObject>(shape));
  const fields = { ...given };
  if (check.Check(fields)) return fields;
  const name = check.Errors(fields).First()?.path.split('/')[1] ?? '';
  const { [name]: field = {} as TSchema } = shape.properties;
  const meaning: string = shape.required?.includes(name) ? (field.description ?? '') : '';
  const hint = meaning && `; it is ${meaning.charAt(0).toLowerCase()}${meaning.slice(1).replace(/\.$/, '')}`;
  throw Refusal.invalid(`${act}: "${name}" must be ${formOf(field)}${hint}`);
}

function formOf({
  type,
  anyOf,
  enum: allowed,
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  items,
}: TSchema): string {
  if (anyOf !== undefined) return (anyOf as TSchema[]).map(formOf).join(' or ');
  if (allowed !== undefined) return listed(allowed as string[]);
  if (type === 'integer') return `a whole number from ${minimum}${maximum ? ` to ${maximum}` : ''}`;
  if (type === 'null') return 'null';
  if (type === 'array')
    return `a list of ${maxItems ? `at most ${maxItems} ` : ''}${items?.type === 'object' ? 'objects with their texts' : 'texts'}`;
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength === undefined ? 'text' : 'text that is not blank';
}
