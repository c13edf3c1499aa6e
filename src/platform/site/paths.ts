/** The paths of the office's lists that other pages link to. */
export const ACCOUNTS = '/admin/accounts';
export const ITEMS = '/admin/items';
export const ADD = '/admin/add';
export const ORDERS = '/admin/orders';
export const GROUPS = '/admin/groups';
export const REPORTS = '/admin/reports';
