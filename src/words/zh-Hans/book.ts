import type { Words } from '../words.ts';

export const book: Words['book'] = {
  code: '代码',
  table: '表格',
  text: '文本',
  formula: '公式',
  note: '说明',
  tip: '提示',
  important: '重要',
  warning: '警告',
  caution: '小心',
  toDo: '待办',
  done: '已完成',
  notes: '注释',
  backToText: '返回正文',
  cover: '封面',
  contents: '目录',
  untitled: '无标题',
};
