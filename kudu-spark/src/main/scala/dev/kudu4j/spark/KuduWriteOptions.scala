package dev.kudu4j.spark

/**
 * How a [[KuduContext]] writes, with the parameters of Apache Kudu's connector:
 * `new KuduWriteOptions(ignoreNull = true)`, or in Java
 * `new KuduWriteOptions().ignoreNull(true)`.
 *
 * @param ignoreDuplicateRowErrors whether an insert of an existing key succeeds
 * @param ignoreNull whether NULL leaves a column unchanged
 * @param repartition whether rows are shuffled by tablet before they are written
 * @param repartitionSort whether the shuffled rows are sorted by key
 * @param handleSchemaDrift whether columns that the table lacks are added to the table
 */
case class KuduWriteOptions(
    ignoreDuplicateRowErrors: Boolean = false,
    ignoreNull: Boolean = false,
    repartition: Boolean = false,
    repartitionSort: Boolean = true,
    handleSchemaDrift: Boolean = false) {

  /** The defaults. */
  def this() = this(false, false, false, true, false)

  def ignoreDuplicateRowErrors(value: Boolean): KuduWriteOptions =
    copy(ignoreDuplicateRowErrors = value)

  def ignoreNull(value: Boolean): KuduWriteOptions = copy(ignoreNull = value)

  def repartition(value: Boolean): KuduWriteOptions = copy(repartition = value)

  def repartitionSort(value: Boolean): KuduWriteOptions = copy(repartitionSort = value)

  def handleSchemaDrift(value: Boolean): KuduWriteOptions = copy(handleSchemaDrift = value)
}
