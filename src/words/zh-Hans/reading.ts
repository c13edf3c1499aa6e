import { formatsIn } from '../formats.ts';
import { frameOf } from '../answers.ts';
import type { Words } from '../words.ts';
import { browser } from './browser.ts';

const f = formatsIn('zh-Hans-CN');

export const reading: Words['reading'] = {
  search: '搜索',
  ask: '提问',
  contents: '目录',
  printHint: '整本书都在这一页上：可用浏览器打印，或存为 PDF。',
  lookThrough: '浏览目录',
  back: '返回本书',
  allChapters: ({ count }) => `全部 ${f.number(count)} 章`,
  minutes: ({ hours, rest }) => {
    if (hours === 0) return `${rest} 分钟`;
    return rest === 0 ? `${hours} 小时` : `${hours} 小时 ${rest} 分钟`;
  },
  chapter: {
    changed: '这段文字被引用之后有过改动，因此没有标出引文。',
    sampleEnds: '试读到此结束',
    position: ({ isBook, at, count }) => {
      const unit = isBook ? '章' : '篇';
      return `第 ${f.number(at)} ${unit}，共 ${f.number(count)} ${unit}`;
    },
    through: ({ percent }) => `已读 ${percent}%`,
    left: ({ time }) => `剩余 ${time}`,
    chapters: '章节',
    previous: '上一页',
    next: '下一页',
    part: ({ number, count }) => `第 ${f.number(number)} 部分，共 ${f.number(count)} 部分`,
    refunded: '您的订单已退款，无法再阅读此内容',
    closed: ({ isBook }) => (isBook ? '本章不在试读范围内' : '此内容不在试读范围内'),
    openToAll: '可免费阅读',
    tooLong: ({ size }) => `此文本大小为 ${size}，无法在一个网页中显示。`,
    openFile: '打开文件',
    whole: ({ isBook, count, time, price, timed }) => [
      isBook ? '全书：' : '完整 Skill：',
      count > 1 ? `${f.number(count)} ${isBook ? '章' : '篇'}` : '',
      ...(time === null ? [] : [count > 1 ? '，' : '', timed(`阅读时长 ${time}`)]),
      ...(price === null ? [] : [count > 1 || time !== null ? '，价格 ' : '价格 ', price]),
      '。',
    ],
    signIn: '已购买？请登录',
  },
  find: {
    inBook: '在本书中搜索',
    everywhere: '搜索标题和正文',
    title: ({ title }) => `在《${title}》中搜索`,
    heading: ({ title }) => ['在《', title, '》中搜索'],
    none: ({ words, isWhole }) =>
      `${isWhole ? '本书' : '试读部分'}中没有与“${words}”相符的内容。请减少或更换关键词。`,
    found: ({ count, isAll, isWhole }) => {
      const found = isAll ? `找到 ${f.number(count)} 处` : `最相关的 ${f.number(count)} 处`;
      return isWhole ? `${found}。` : `${found}，仅限试读部分；拥有本书后可搜索全书。`;
    },
  },
  answer: {
    answer: '回答',
    title: ({ title }) => `向《${title}》提问`,
    heading: ({ title }) => ['向《', title, '》提问'],
    form: '向本书提问',
    question: '您的问题',
    hint: '问题不会被保存。',
    hintLater: '问题不会被保存。可以承接前面的回答继续问。',
    somethingElse: '换个问题',
    samples: '或者问问这些：',
    about: ({ words }) => `“${words}”`,
    addQuestion: '关于这段文字，请补充您的问题。',
    typeFirst: '请先输入问题。',
    tooLong: ({ most }) => `问题超过 ${f.number(most)} 个字符，请缩短。`,
    sentBefore: '这个问题已经提交过。如果想得到另一个回答，请再问一次。',
    writing: '正在撰写回答……',
    weak: frameOf('zh').weak,
    passage: ({ number }) => `引文 ${number}`,
    code: '代码',
    notCovered: '本书似乎没有涉及这个问题。',
    unsupported: '书中没有文字能支持这个回答。',
    declined: '模型拒绝回答。',
    nearest: '书中最接近的内容',
    inBook: '书中原文',
    goOn: '继续提问',
    again: '再次提问',
    cutShort: '回答被截断。',
    found: '摘自本书原文，未使用 AI。',
    searched: '在本书原文中搜索，未使用 AI。',
    written: ({ model }) => `由 ${model} 根据本书撰写；每处引文均已核对。`,
    asked: ({ model }) => `已询问：${model}。`,
  },
  notes: {
    title: '笔记',
    all: '全部笔记',
    selected: '选中的文字',
    acts: { highlight: '划线', note: '写笔记', link: browser.copyLink },
    askAbout: '就此提问',
    keep: '存为笔记',
    below: ({ count, lost, most, link }) => [
      link(`本章有 ${f.number(count)} 条笔记`),
      lost > 0 ? `，其中 ${f.number(lost)} 条对应的文字已不在这里` : '',
      most === null ? '' : `；此处只标出前 ${f.number(most)} 条`,
    ],
    search: '搜索您的笔记',
    noMatch: ({ words }) => `没有包含“${words}”的笔记。`,
    none: '还没有笔记。阅读时选中文字，再点“划线”或“写笔记”。',
    first: '首页',
    next: '下一页',
    closed: ({ count }) =>
      `另有 ${f.number(count)} 本书的笔记：这些书您目前无法打开。笔记都已保留，能打开时会再次显示。`,
    saveAll: ({ markdown, csv }) => ['全部存为 ', markdown('Markdown'), ' 或 ', csv('CSV'), '。'],
    lost: '书中已没有这段文字',
    readThere: '在书中查看',
    edit: '编辑或删除',
    note: '笔记',
    yourNote: '您的笔记',
    hint: ({ most }) => `最多 ${f.number(most)} 个字符。留空则只保留划线。`,
    save: '保存',
    delete: '删除',
    back: '回到书中',
  },
  reports: {
    title: '已发给作者',
    send: '发给作者',
    sendHint: '发送后，店主会看到书中的这段文字、您当时的笔记和您的邮箱。即使您删除笔记，这些内容仍会保留。',
    tell: '告诉作者',
    tellHint: '点击后，店主会看到这一个问题和您的邮箱。不点击，则没有人会看到。',
    sent: ({ state }) => `您已把这条笔记发给作者：${state}。`,
    states: { open: '待处理', done: '已处理', declined: '未采纳' },
    answer: ({ answer }) => `作者的回复：${answer}`,
  },
};
