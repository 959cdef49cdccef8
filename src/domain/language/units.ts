/** Names of units after numbers (search.names-of-units): 5 kilo, 5 кг and 5 公斤 are 5 kg. */
import { symbolsByName } from './symbols-by-name.ts'

/** What shops and shoppers call a unit, by its symbol. */
const CALLED: readonly (readonly [symbol: string, names: string])[] = [
  ['g', 'gr gram grams gramm gramme grammes grammi grammo gramo gramos grama gramas gramów grame gramů gramaa'],
  ['g', 'г гр грамм грамма граммов грам грамів γρ γραμμάρια גרם جم جرام غرام گرم ग्राम กรัม 克 グラム 그램'],
  ['kg', 'kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos kilogramas kilogramów'],
  ['kg', 'кг кило килограмм килограмма килограммов кілограм κιλό κιλά קילו كجم كغ كيلو किलो กก กิโล กิโลกรัม'],
  ['kg', '公斤 千克 キロ キログラム 킬로 킬로그램'],
  ['l', 'lt ltr liter liters litre litres litri litro litros litr litry litrów litra litru litrů litraa'],
  ['l', 'л литр литра литров літр літра літрів λίτρο λίτρα ליטר لتر लीटर ลิตร 升 公升 リットル 리터'],
  ['ml', 'milliliter milliliters millilitre millilitres mililitro mililitros millilitri мл миллилитров מל مل'],
  ['ml', 'มล มิลลิลิตร 毫升 ミリリットル 밀리리터'],
  ['cl', 'centiliter centilitre centilitres centilitro centilitros centilitri'],
  ['m', 'meter meters metre metres mètre mètres metro metros metri metr metry metrów metru metrů metriä'],
  ['m', 'м метр метра метров метрів μέτρα μέτρο מטר متر मीटर เมตร 米 メートル 미터'],
  ['cm', 'centimeter centimeters centimetre centimetres centimètre centimètres centímetro centímetros centimetri'],
  ['cm', 'см сантиметр сантиметров εκ סמ سم ซม เซนติเมตร 厘米 公分 センチ 센티'],
  ['mm', 'millimeter millimeters millimetre millimetres millimètres milímetros millimetri мм миллиметров מם مم'],
  ['mm', 'มม มิลลิเมตร 毫米 ミリ 밀리'],
  ['w', 'watt watts wattů wattia vatio vatios Вт ватт וואט واط वाट วัตต์ 瓦 ワット 와트'],
  ['v', 'volt volts volti voltios voltů volttia вольт וולט فولت โวลต์ 伏 ボルト 볼트'],
  ['a', 'amp amps ampere ampère ampères amperios ампер'],
  ['gb', 'go gigabyte gigabytes gigas гб جيجا جيجابايت जीबी 기가'],
  ['tb', 'terabyte terabytes тб تيرا'],
  ['oz', 'ounce ounces'],
  ['lb', 'lbs pound pounds'],
  ['pcs', 'pc piece pieces pk pièce pièces pieza piezas uds unidades unidad pezzi pz peça peças Stück Stk stuks stk'],
  ['pcs', 'stycken styck szt sztuk ks kusů kpl db buc adet шт штук штуки τμχ 個 个 개 ชิ้น'],
]
const symbols = symbolsByName(CALLED)

/** The symbol of the unit that a word after a number names, without accents; undefined for other words. */
export function unitOfWord(word: string): string | undefined {
  return symbols.get(word)
}
