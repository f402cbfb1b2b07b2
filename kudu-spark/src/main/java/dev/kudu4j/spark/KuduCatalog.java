package dev.kudu4j.spark;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.analysis.OwnOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.NewTable;
import dev.kudu4j.spark.catalog.TableAlteration;
import dev.kudu4j.spark.catalog.TableName;
import dev.kudu4j.spark.changes.ChangelogCatalog;
import dev.kudu4j.spark.changes.ChangesTable;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.spark.partitions.PartitionsOf;
import dev.kudu4j.spark.procedure.Procedures;
import dev.kudu4j.spark.read.SnapshotTime;
import dev.kudu4j.spark.statistics.AnalyzedTables;
import dev.kudu4j.spark.table.KuduSparkTable;
import dev.kudu4j.spark.table.StagedKuduTable;
import dev.kudu4j.spark.write.BucketFunction;
import dev.kudu4j.spark.write.TabletFunction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.ProcedureCatalog;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The tables of a cluster, as a catalog of Spark:
 *
 * <pre>
 *   spark.sql.catalog.k              dev.kudu4j.spark.KuduCatalog
 *   spark.sql.catalog.k.kudu.master  master:7051
 * </pre>
 *
 * <p>{@link KuduOptions} has further options; {@link TableName} maps names. Kudu has no namespaces,
 * only table names that contain one. A namespace therefore exists while it has a table; a new
 * namespace without tables exists only in this session.
 *
 * <p>The catalog caches nothing about tables but, with Apache Kudu's masters, the results of the
 * procedure {@code analyze}: each query sees their current state.
 */
public final class KuduCatalog
    implements StagingTableCatalog,
        ChangelogCatalog,
        SupportsNamespaces,
        FunctionCatalog,
        ProcedureCatalog {
  private final Set<String> madeNamespaces = new ConcurrentSkipListSet<>();
  private final AnalyzedTables analyzed = new AnalyzedTables();
  private String name;
  private KuduOptions options;
  private Connection connection;
  private Procedures procedures;

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    this.name = name;
    this.options = KuduOptions.of(options.asCaseSensitiveMap());
    this.connection = this.options.connection();
    this.procedures = new Procedures(name, connection, this::loadByName, analyzed);
    checkSession();
  }

  /**
   * Fails if the session lacks {@link OwnOptions}. Without this rule, Spark would silently ignore
   * options of a table that occurs twice in a statement.
   */
  private void checkSession() {
    if (!options.anySchema() && !OwnOptions.inActiveSession()) {
      throw new IllegalStateException(
          "Catalog "
              + name
              + " needs a session that was started with kudu-spark's jar. Pass the jar to"
              + " Spark with --jars; if it is loaded otherwise, set spark.sql.extensions="
              + KuduSessionExtensions.class.getName()
              + " before the session starts");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<TableCatalogCapability> capabilities() {
    return Set.of(
        TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE,
        TableCatalogCapability.SUPPORT_TABLE_CONSTRAINT);
  }

  // ---------------------------------------------------------------- asking the cluster

  /** A request to the cluster. */
  @FunctionalInterface
  private interface Request<T> {
    T send(KuduClient client) throws KuduException;
  }

  private <T> T ask(String what, Request<T> request) {
    try {
      return request.send(connection.client());
    } catch (KuduException e) {
      throw ClusterErrors.of("Catalog " + name + " at " + connection.masters() + ": " + what, e);
    }
  }

  /** The name of a table in Kudu; empty if the table does not exist. */
  private Optional<String> kuduName(Identifier identifier) {
    for (String candidate : TableName.candidates(identifier)) {
      if (ask("table " + candidate, client -> client.tableExists(candidate))) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private String existing(Identifier identifier) throws NoSuchTableException {
    return kuduName(identifier).orElseThrow(() -> new NoSuchTableException(identifier));
  }

  private List<Identifier> tables() {
    return ask("list of tables", client -> client.getTablesList().getTablesList()).stream()
        .filter(table -> !StagedKuduTable.isHidden(table))
        .map(TableName::identifier)
        .sorted((left, right) -> left.toString().compareTo(right.toString()))
        .toList();
  }

  // ---------------------------------------------------------------- tables

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    List<Identifier> tables = tables();
    if (!namespaceExists(namespace, tables)) {
      throw new NoSuchNamespaceException(namespace);
    }
    return tables.stream()
        .filter(table -> Arrays.equals(table.namespace(), namespace))
        .toArray(Identifier[]::new);
  }

  @Override
  public boolean tableExists(Identifier identifier) {
    return kuduName(identifier).isPresent();
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    Optional<PartitionsOf> partitions = PartitionsOf.named(identifier.name());
    if (partitions.isPresent() && kuduName(identifier).isEmpty()) {
      Identifier of = Identifier.of(identifier.namespace(), partitions.get().table());
      return partitions.get().load(shown(identifier), openTable(existing(of)));
    }
    Optional<String> changed = ChangesTable.of(identifier.name());
    if (changed.isPresent() && kuduName(identifier).isEmpty()) {
      return changes(identifier, Identifier.of(identifier.namespace(), changed.get()));
    }
    return load(identifier, OptionalLong.empty());
  }

  /** For CHANGES FROM. */
  @Override
  public ChangesTable changesOf(Identifier identifier) throws NoSuchTableException {
    return changes(identifier, identifier);
  }

  private ChangesTable changes(Identifier name, Identifier of) throws NoSuchTableException {
    KuduTable table = openTable(existing(of));
    return new ChangesTable(shown(name), loaded(of, table, OptionalLong.empty()));
  }

  private KuduTable openTable(String kuduName) {
    return ask("table " + kuduName, client -> client.openTable(kuduName));
  }

  /** Loads a table for TIMESTAMP AS OF. */
  @Override
  public Table loadTable(Identifier identifier, long micros) throws NoSuchTableException {
    return load(identifier, OptionalLong.of(SnapshotTime.ofMicros(shown(identifier), micros)));
  }

  /** Loads a table for VERSION AS OF. Versions are hybrid timestamps. */
  @Override
  public Table loadTable(Identifier identifier, String version) throws NoSuchTableException {
    return load(identifier, OptionalLong.of(SnapshotTime.ofVersion(shown(identifier), version)));
  }

  private Table load(Identifier identifier, OptionalLong snapshot) throws NoSuchTableException {
    String kuduName = existing(identifier);
    KuduTable table = openTable(kuduName);
    return new KuduSparkTable(loaded(identifier, table, snapshot));
  }

  private LoadedTable loaded(Identifier identifier, KuduTable table, OptionalLong snapshot) {
    return new LoadedTable(
        shown(identifier),
        connection,
        table,
        options,
        snapshot,
        analyzed.inSession(table.getTableId()));
  }

  /**
   * The name of a table in messages. Users of {@code format("kudu")} do not know the name of the
   * catalog, so their messages do not contain it.
   */
  private String shown(Identifier identifier) {
    if (options.anySchema()) {
      return TableName.kuduName(identifier);
    }
    String[] parts =
        Stream.concat(Stream.of(name), Arrays.stream(identifier.namespace()))
            .toArray(String[]::new);
    return Identifier.of(parts, identifier.name()).toString(); // with quotes where needed
  }

  @Override
  public Table createTable(Identifier identifier, TableInfo info)
      throws TableAlreadyExistsException {
    checkFree(identifier);
    return create(identifier, TableName.kuduName(identifier), info);
  }

  /** Older Spark versions, which have no constraints, call this method. */
  @Override
  @SuppressWarnings("deprecation")
  public Table createTable(
      Identifier identifier,
      Column[] columns,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException {
    checkFree(identifier);
    return create(
        identifier,
        NewTable.of(
            TableName.kuduName(identifier), columns, partitions, properties, new Constraint[0]));
  }

  private void checkFree(Identifier identifier) throws TableAlreadyExistsException {
    if (tableExists(identifier)) {
      throw new TableAlreadyExistsException(identifier);
    }
  }

  private KuduSparkTable create(Identifier identifier, String kuduName, TableInfo info) {
    return create(
        identifier,
        NewTable.of(
            kuduName, info.columns(), info.partitions(), info.properties(), info.constraints()));
  }

  private KuduSparkTable create(Identifier identifier, NewTable made) {
    KuduTable table =
        ask(
            "creation of table " + made.name(),
            client -> client.createTable(made.name(), made.schema(), made.options()));
    return new KuduSparkTable(loaded(identifier, table, OptionalLong.empty()));
  }

  // CREATE TABLE AS SELECT, REPLACE TABLE.

  @Override
  public StagedTable stageCreate(Identifier identifier, TableInfo info)
      throws TableAlreadyExistsException {
    checkFree(identifier);
    return stage(identifier, TableName.kuduName(identifier), info, false);
  }

  @Override
  public StagedTable stageReplace(Identifier identifier, TableInfo info)
      throws NoSuchTableException {
    return stage(identifier, existing(identifier), info, true);
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier identifier, TableInfo info) {
    Optional<String> existing = kuduName(identifier);
    return stage(
        identifier, existing.orElse(TableName.kuduName(identifier)), info, existing.isPresent());
  }

  private StagedTable stage(
      Identifier identifier, String finalName, TableInfo info, boolean replaces) {
    KuduSparkTable staged = create(identifier, StagedKuduTable.nameFor(finalName), info);
    return new StagedKuduTable(staged, finalName, replaces);
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes)
      throws NoSuchTableException {
    String kuduName = existing(identifier);
    KuduTable table = openTable(kuduName);
    TableAlteration.of(table, changes)
        .ifPresent(
            alteration ->
                ask(
                    "alteration of table " + kuduName,
                    client -> client.alterTable(kuduName, alteration)));
    return loadTable(identifier);
  }

  @Override
  public void renameTable(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    String kuduName = existing(from);
    if (tableExists(to)) {
      throw new TableAlreadyExistsException(to);
    }
    AlterTableOptions renaming = new AlterTableOptions().renameTable(TableName.kuduName(to));
    ask("renaming of table " + kuduName, client -> client.alterTable(kuduName, renaming));
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    Optional<String> kuduName = kuduName(identifier);
    kuduName.ifPresent(
        table -> ask("removal of table " + table, client -> client.deleteTable(table)));
    return kuduName.isPresent();
  }

  // ---------------------------------------------------------------- namespaces

  /**
   * Whether a namespace exists. The root, which contains the tables without a namespace, always
   * exists.
   */
  private boolean namespaceExists(String[] namespace, List<Identifier> tables) {
    return namespace.length == 0
        || madeNamespaces.contains(String.join(".", namespace))
        || tables.stream().anyMatch(table -> startsWith(table.namespace(), namespace));
  }

  private static boolean startsWith(String[] namespace, String[] parent) {
    return namespace.length >= parent.length
        && Arrays.equals(namespace, 0, parent.length, parent, 0, parent.length);
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return namespaceExists(namespace, tables());
  }

  @Override
  public String[][] listNamespaces() {
    return children(new String[0], tables());
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    List<Identifier> tables = tables();
    if (!namespaceExists(namespace, tables)) {
      throw new NoSuchNamespaceException(namespace);
    }
    return children(namespace, tables);
  }

  private String[][] children(String[] parent, List<Identifier> tables) {
    Set<String> children = new ConcurrentSkipListSet<>();
    tables.forEach(table -> addChild(parent, table.namespace(), children));
    madeNamespaces.forEach(made -> addChild(parent, made.split("\\."), children));
    return children.stream()
        .map(
            child -> {
              String[] namespace = Arrays.copyOf(parent, parent.length + 1);
              namespace[parent.length] = child;
              return namespace;
            })
        .toArray(String[][]::new);
  }

  private static void addChild(String[] parent, String[] namespace, Set<String> children) {
    if (namespace.length > parent.length && startsWith(namespace, parent)) {
      children.add(namespace[parent.length]);
    }
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    if (!namespaceExists(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
    return Map.of();
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    if (namespaceExists(namespace)) {
      throw new NamespaceAlreadyExistsException(namespace);
    }
    madeNamespaces.add(String.join(".", namespace));
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) {
    throw new UnsupportedOperationException(
        "Namespace "
            + String.join(".", namespace)
            + " cannot have properties: Kudu has only tables; comment on its tables");
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NonEmptyNamespaceException {
    List<Identifier> tables =
        tables().stream().filter(table -> startsWith(table.namespace(), namespace)).toList();
    if (!tables.isEmpty() && !cascade) {
      throw new NonEmptyNamespaceException(namespace);
    }
    tables.forEach(this::dropTable);
    String text = String.join(".", namespace);
    return madeNamespaces.removeIf(made -> made.equals(text) || made.startsWith(text + "."))
        || !tables.isEmpty();
  }

  // ---------------------------------------------------------------- functions

  /** The functions are not in a namespace. */
  @Override
  public Identifier[] listFunctions(String[] namespace) {
    return namespace.length == 0
        ? new Identifier[] {
          Identifier.of(namespace, BucketFunction.NAME),
          Identifier.of(namespace, TabletFunction.NAME)
        }
        : new Identifier[0];
  }

  @Override
  public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
    if (identifier.namespace().length == 0) {
      if (identifier.name().equals(BucketFunction.NAME)) {
        return new BucketFunction();
      } else if (identifier.name().equals(TabletFunction.NAME)) {
        return new TabletFunction(connection);
      }
    }
    throw new NoSuchFunctionException(identifier);
  }

  // ---------------------------------------------------------------- procedures

  @Override
  public Identifier[] listProcedures(String[] namespace) {
    return procedures.list(namespace);
  }

  @Override
  public UnboundProcedure loadProcedure(Identifier identifier) {
    return procedures.load(identifier);
  }

  /**
   * @throws IllegalArgumentException if the table does not exist
   */
  private LoadedTable loadByName(String table) {
    Identifier identifier = TableName.identifier(table);
    try {
      String kuduName = existing(identifier);
      return loaded(identifier, openTable(kuduName), OptionalLong.empty());
    } catch (NoSuchTableException e) {
      throw new IllegalArgumentException(
          "Table " + table + " does not exist in catalog " + name + "; name it like db.t", e);
    }
  }
}
