package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Masters;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.net.InetSocketAddress;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the state that a master, leader or not, reports about itself. */
@Command(
    name = "status",
    description = "Shows the name, role, addresses and version of a master.",
    footer = "  kudu master status 127.0.0.1:7051")
public final class MasterStatusVerb extends ClusterVerb {
  private static final String MASTER_SERVICE = "kudu.master.MasterService";

  @Parameters(
      paramLabel = "MASTER",
      arity = "0..1",
      hideParamSyntax = true,
      description = "HOST:PORT of the master; default 127.0.0.1:7051.")
  private String master;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() {
    Masters named = master == null ? Masters.standard() : Masters.of(master);
    InetSocketAddress address = named.addresses().get(0);
    try (ClusterCalls calls = cluster().reach(named)) {
      NamedServer server = new NamedServer(ServerKind.MASTER, address, calls);
      ServerStatusPB status = server.status();
      GetMasterRegistrationResponsePB registration =
          ClusterCalls.get(
              calls.call(
                  address,
                  MASTER_SERVICE,
                  "GetMasterRegistration",
                  GetMasterRegistrationRequestPB.getDefaultInstance(),
                  GetMasterRegistrationResponsePB.parser()));
      print(status, registration);
    }
    return DONE;
  }

  private void print(ServerStatusPB status, GetMasterRegistrationResponsePB registration) {
    try (ListPrinter list = format.open(StatusTable.COLUMNS, out())) {
      StatusTable.printIdentity(status, list);
      list.row(List.of("role", registration.getRole().name()));
      list.row(List.of("cluster id", registration.getClusterId()));
      StatusTable.printAddresses(status, list);
    }
  }
}
