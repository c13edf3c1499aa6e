/** The paths of the office's lists that other pages link to. */
export const ACCOUNTS = '/admin/accounts';
export const ITEMS = '/admin/items';
export const ADD = '/admin/add';
export const ORDERS = '/admin/orders';
export const GROUPS = '/admin/groups';
export const REPORTS = '/admin/reports';
export const SELLING = '/admin/settings/selling';

/** The paths of an item's pages below the list. */
export const editPath = (slug: string): string => `${ITEMS}/${slug}/edit`;
export const editionsPath = (slug: string): string => `${ITEMS}/${slug}/editions`;
export const announcePath = (slug: string): string => `${ITEMS}/${slug}/announce`;

/** The path of the page with a reader's notes in all books. */
export const ALL_NOTES = '/dashboard/notes';
