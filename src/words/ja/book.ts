import type { Words } from '../words.ts';

export const book: Words['book'] = {
  code: 'コード',
  table: '表',
  text: 'テキスト',
  formula: '数式',
  note: '補足',
  tip: 'ヒント',
  important: '重要',
  warning: '警告',
  caution: '注意',
  toDo: '未完了',
  done: '完了',
  notes: '注',
  backToText: '本文に戻る',
  cover: '表紙',
  contents: '目次',
  untitled: '無題',
};
