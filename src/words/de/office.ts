import { accounts, devices, grants, groups, keys, proof, secondStep } from './office/accounts.ts';
import { common, counts, firstSteps, frame, handbook, overview, said } from './office/frame.ts';
import { addItem, editItem, editions, item, itemForm, itemText, items, publishKeys } from './office/items.ts';
import { audit, logs, mails, reports } from './office/log.ts';
import { refusals } from './office/refusals.ts';
import { announce, codes, order, orderImport, orders, sales } from './office/selling.ts';
import {
  answerSettings,
  backups,
  bundles,
  helpers,
  mailSettings,
  sellingSettings,
  settings,
  shopSettings,
} from './office/settings.ts';
import type { OfficeWords } from '../office.ts';

/** German, as the readers' pages speak it: „Sie“, plain and short. */
export const office: OfficeWords = {
  accounts,
  devices,
  groups,
  grants,
  keys,
  proof,
  secondStep,
  overview,
  counts,
  firstSteps,
  common,
  handbook,
  frame,
  refusals,
  said,
  addItem,
  editItem,
  editions,
  itemForm,
  itemText,
  item,
  items,
  publishKeys,
  audit,
  logs,
  reports,
  mails,
  announce,
  codes,
  orderImport,
  order,
  orders,
  sales,
  answerSettings,
  backups,
  bundles,
  helpers,
  mailSettings,
  sellingSettings,
  settings,
  shopSettings,
};
