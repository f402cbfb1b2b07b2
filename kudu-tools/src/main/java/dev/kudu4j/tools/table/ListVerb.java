package dev.kudu4j.tools.table;

import dev.kudu4j.common.partition.PartitionText;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.ReplicaTypeFilter;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import dev.kudu4j.tools.console.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists tables, or their tablets and replicas. */
@Command(
    name = "list",
    description = "Lists tables; with --list_tablets their tablets and replicas.",
    footer = {
      "  kudu table list",
      "  kudu table list --tables='tpch.*' --columns=name,live_row_count,on_disk_size",
      "  kudu table list --format=space --columns=name          (names alone, for a shell loop)",
      "  kudu table list 127.0.0.1:7051 --tables=flights --list_tablets"
    })
final class ListVerb extends ClusterVerb {
  /** The fields of a table. */
  private enum Field {
    name(false),
    id(false),
    num_tablets(true),
    num_replicas(true),
    live_row_count(true),
    on_disk_size(true);

    private final boolean number;

    Field(boolean number) {
      this.number = number;
    }

    ListColumn column() {
      return new ListColumn(name(), number);
    }

    Object of(ListTablesResponsePB.TableInfo table, ClusterCalls calls) {
      return switch (this) {
        case name -> table.getName();
        case id -> table.getId().toStringUtf8();
        case num_tablets -> table.getNumTablets();
        case num_replicas -> table.getNumReplicas();
        case live_row_count -> table.hasLiveRowCount() ? table.getLiveRowCount() : null;
        case on_disk_size -> onDiskSize(table.getName(), calls);
      };
    }

    private static Long onDiskSize(String table, ClusterCalls calls) {
      GetTableStatisticsResponsePB statistics =
          calls.master(
              "GetTableStatistics",
              GetTableStatisticsRequestPB.newBuilder()
                  .setTable(ClusterCalls.identifier(table))
                  .build(),
              GetTableStatisticsResponsePB.parser());
      return statistics.hasOnDiskSize() ? statistics.getOnDiskSize() : null;
    }
  }

  @Parameters(
      paramLabel = "[MASTERS]",
      arity = "0..1",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--tables",
      split = ",",
      paramLabel = "NAME[,NAME]",
      description = "Only these tables; * matches any text. Default: all.")
  private List<String> tables = List.of();

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "FIELD[,FIELD]",
      defaultValue = "name,id,num_tablets,num_replicas,live_row_count",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private List<Field> fields;

  @Option(
      names = "--list_tablets",
      description =
          "Lists tablets with their partitions and replicas: L is the leader, V a" + " voter.")
  private boolean listTablets;

  @Option(
      names = "--soft_deleted_only",
      description = "Lists deleted tables that can still be recalled.")
  private boolean softDeletedOnly;

  @Option(
      names = {"--format", "--list_table_output_format"},
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() {
    Target target = Target.of(arguments);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      List<ListTablesResponsePB.TableInfo> found = find(calls);
      if (listTablets) {
        listTablets(found, calls);
      } else {
        list(found, calls);
      }
    }
    return DONE;
  }

  private List<ListTablesResponsePB.TableInfo> find(ClusterCalls calls) {
    ListTablesRequestPB request =
        ListTablesRequestPB.newBuilder().setShowSoftDeleted(softDeletedOnly).build();
    List<ListTablesResponsePB.TableInfo> all =
        calls.tables(request).stream()
            .sorted(Comparator.comparing(ListTablesResponsePB.TableInfo::getName))
            .toList();
    Predicate<String> wanted = Names.like(tables);
    List<ListTablesResponsePB.TableInfo> found =
        all.stream().filter(table -> wanted.test(table.getName())).toList();
    if (found.isEmpty() && !tables.isEmpty()) {
      throw KuduException.notFound(
          "None of the %d tables on %s matches %s",
          all.size(), calls.masters(), String.join(" or ", tables));
    }
    return found;
  }

  private void list(List<ListTablesResponsePB.TableInfo> found, ClusterCalls calls) {
    try (ListPrinter list = format.open(fields.stream().map(Field::column).toList(), out())) {
      for (ListTablesResponsePB.TableInfo table : found) {
        list.row(fields.stream().map(field -> field.of(table, calls)).collect(Collectors.toList()));
      }
    }
  }

  private void listTablets(List<ListTablesResponsePB.TableInfo> found, ClusterCalls calls) {
    List<ReplicaRow> rows = new ArrayList<>();
    for (ListTablesResponsePB.TableInfo table : found) {
      rows.addAll(replicas(table.getName(), calls));
    }
    if (format == ListFormat.pretty) {
      printNested(rows);
      return;
    }
    List<ListColumn> columns =
        ListColumn.texts("table", "tablet", "partition", "server", "address", "role");
    try (ListPrinter list = format.open(columns, out())) {
      for (ReplicaRow row : rows) {
        list.row(
            List.of(
                row.table(),
                row.tablet(),
                row.partition(),
                row.server(),
                row.address(),
                row.role()));
      }
    }
  }

  /** One replica of one tablet. */
  private record ReplicaRow(
      String table, String tablet, String partition, String server, String address, String role) {}

  private void printNested(List<ReplicaRow> rows) {
    ReplicaRow last = new ReplicaRow("", "", "", "", "", "");
    for (ReplicaRow row : rows) {
      if (!row.table().equals(last.table())) {
        out().println(row.table());
      }
      if (!row.tablet().equals(last.tablet())) {
        out().println("  T " + row.tablet() + " : " + row.partition());
      }
      out().println("    " + row.role() + " " + row.server() + " " + row.address());
      last = row;
    }
    out().flush();
  }

  private static List<ReplicaRow> replicas(String name, ClusterCalls calls) {
    TableInfo table = TableInfo.of(name, calls);
    GetTableLocationsResponsePB answer =
        calls.master(
            "GetTableLocations",
            GetTableLocationsRequestPB.newBuilder()
                .setTable(ClusterCalls.identifier(name))
                .setMaxReturnedLocations(1_000_000)
                .setInternTsInfosInResponse(true)
                .setReplicaTypeFilter(ReplicaTypeFilter.ANY_REPLICA)
                .build(),
            GetTableLocationsResponsePB.parser());
    List<ReplicaRow> rows = new ArrayList<>();
    for (TabletLocationsPB tablet : answer.getTabletLocationsList()) {
      String partition =
          PartitionText.of(
              PartitionWire.fromWire(tablet.getPartition()), table.partitioning(), table.schema());
      for (TabletLocationsPB.InternedReplicaPB replica : tablet.getInternedReplicasList()) {
        TSInfoPB server = answer.getTsInfos(replica.getTsInfoIdx());
        rows.add(
            new ReplicaRow(
                name,
                tablet.getTabletId().toStringUtf8(),
                partition,
                server.getPermanentUuid().toStringUtf8(),
                server.getRpcAddressesCount() == 0
                    ? "unknown"
                    : ClusterCalls.text(ClusterCalls.address(server.getRpcAddresses(0))),
                role(replica.getRole())));
      }
    }
    return rows;
  }

  private static String role(RaftPeerPB.Role role) {
    return switch (role) {
      case LEADER -> "L";
      case FOLLOWER -> "V";
      case LEARNER -> "N";
      default -> "?";
    };
  }
}
