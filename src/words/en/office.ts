// The sentences of the owner's pages, by page.
export * from './office/accounts.ts';
export * from './office/frame.ts';
export * from './office/items.ts';
export * from './office/log.ts';
export * from './office/refusals.ts';
export * from './office/selling.ts';
export * from './office/settings.ts';
