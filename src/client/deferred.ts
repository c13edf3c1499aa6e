/** A promise with its resolvers, as Promise.withResolvers gives, which Node 20 lacks. */
type Deferred<T> = {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
};

/** Creates a pending promise with its resolvers. */
export function createDeferred<T>(): Deferred<T> {
  let [resolve, reject]: [Deferred<T>['resolve'], Deferred<T>['reject']] = [() => {}, () => {}];
  const promise = new Promise<T>((keep, refuse) => ([resolve, reject] = [keep, refuse]));
  return { promise, resolve, reject };
}
