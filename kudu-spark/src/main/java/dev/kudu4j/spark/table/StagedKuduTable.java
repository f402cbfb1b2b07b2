package dev.kudu4j.spark.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/**
 * The table that a CREATE TABLE AS SELECT fills, with a temporary name until it is complete. It is
 * then renamed, which makes all rows visible atomically. If the query fails it is dropped without
 * ever being visible.
 *
 * <p>A table that is replaced is renamed first, and dropped after the staged table has got its
 * name. Between the two renames, no table has the final name for some milliseconds.
 */
public final class StagedKuduTable implements StagedTable, SupportsWrite {
  private static final String MARK = "__staged_";
  private static final String REPLACED = "__replaced_";

  private final KuduSparkTable staged;
  private final String finalName;
  private final boolean replaces;

  /**
   * @param staged the table with the name of {@link #nameFor}
   * @param finalName the final name in Kudu
   * @param replaces whether a table with that name is replaced
   */
  public StagedKuduTable(KuduSparkTable staged, String finalName, boolean replaces) {
    this.staged = staged;
    this.finalName = finalName;
    this.replaces = replaces;
  }

  /** A temporary name for a table. */
  public static String nameFor(String finalName) {
    return finalName + MARK + Long.toHexString(System.nanoTime());
  }

  /** Whether a table is incomplete, or about to be dropped. */
  public static boolean isHidden(String kuduName) {
    return kuduName.contains(MARK) || kuduName.contains(REPLACED);
  }

  @Override
  public void commitStagedChanges() {
    try {
      if (replaces) {
        replace();
      } else {
        rename(stagedName(), finalName);
      }
    } catch (KuduException e) {
      throw ClusterErrors.of("Table " + finalName + " cannot be renamed to its final name", e);
    }
  }

  private void replace() throws KuduException {
    String aside = finalName + REPLACED + Long.toHexString(System.nanoTime());
    rename(finalName, aside);
    try {
      rename(stagedName(), finalName);
    } catch (KuduException e) {
      rename(aside, finalName);
      throw e;
    }
    client().deleteTable(aside);
  }

  private void rename(String from, String to) throws KuduException {
    client().alterTable(from, new AlterTableOptions().renameTable(to));
  }

  @Override
  public void abortStagedChanges() {
    try {
      client().deleteTable(stagedName());
    } catch (KuduException e) {
      throw ClusterErrors.of(
          "Table " + stagedName() + ", which is incomplete, cannot be dropped", e);
    }
  }

  private KuduClient client() {
    return staged.loaded().connection().client();
  }

  private String stagedName() {
    return staged.loaded().kuduTable().getName();
  }

  // ---------------------------------------------------------------- the table itself

  @Override
  public String name() {
    return staged.name();
  }

  @Override
  public Column[] columns() {
    return staged.columns();
  }

  @Override
  public Transform[] partitioning() {
    return staged.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return staged.properties();
  }

  @Override
  public Constraint[] constraints() {
    return staged.constraints();
  }

  @Override
  public Set<TableCapability> capabilities() {
    Set<TableCapability> capabilities = EnumSet.copyOf(staged.capabilities());
    capabilities.add(TableCapability.TRUNCATE);
    return capabilities;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new IntoEmpty(staged.newWriteBuilder(info));
  }

  /**
   * Ignores the truncation that Spark requests for a table that is replaced: the staged table is
   * already empty.
   */
  private record IntoEmpty(WriteBuilder builder) implements SupportsTruncate {
    @Override
    public WriteBuilder truncate() {
      return this;
    }

    @Override
    public Write build() {
      return builder.build();
    }
  }
}
