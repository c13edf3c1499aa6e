// The addresses of pages to which several files link.

export const ACCOUNTS = '/admin/accounts';
export const ITEMS = '/admin/items';
export const ADD = '/admin/add';
export const ORDERS = '/admin/orders';
export const GROUPS = '/admin/groups';
export const REPORTS = '/admin/reports';
export const ASSISTANTS = '/dashboard/assistants';
export const HANDBOOK = '/handbook';
export const SELLING = '/admin/settings/selling';

export const textPath = (slug: string): string => `${ITEMS}/${slug}/text`;
export const editPath = (slug: string): string => `${ITEMS}/${slug}/edit`;
export const editionsPath = (slug: string): string => `${ITEMS}/${slug}/editions`;
export const announcePath = (slug: string): string => `${ITEMS}/${slug}/announce`;

export const ALL_NOTES = '/dashboard/notes';
