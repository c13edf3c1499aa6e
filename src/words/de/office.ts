// German, as the readers' pages speak it: „Sie“, plain and short.
export * from './office/accounts.ts';
export * from './office/frame.ts';
export * from './office/items.ts';
export * from './office/log.ts';
export * from './office/refusals.ts';
export * from './office/selling.ts';
export * from './office/settings.ts';
