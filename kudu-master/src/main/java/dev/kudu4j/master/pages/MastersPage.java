package dev.kudu4j.master.pages;

import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.service.MasterGroup;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The page of the masters of the cluster. Every master serves it, leader or not. */
final class MastersPage {
  static final String PATH = "/masters";

  private final MasterGroup group;
  private final boolean leads;

  /**
   * @param leads whether this master leads
   */
  MastersPage(MasterGroup group, boolean leads) {
    this.group = group;
    this.leads = leads;
  }

  View view() {
    List<ServerEntryPB> all = new ArrayList<>();
    all.add(self());
    all.addAll(group.others().join()); // a silent master has an entry with an error
    return View.of(
        "Masters",
        hint(all),
        DataTable.<ServerEntryPB>of("Masters")
            .dense()
            .id("Address", MastersPage::address)
            .cell("Role", MastersPage::role)
            .cell("State", MastersPage::state)
            .cell("Member", MastersPage::member)
            .id("Web pages", master -> text(addresses(http(master))))
            .cell("Started", MastersPage::started)
            .text("Version", master -> master.getRegistration().getSoftwareVersion())
            .id("UUID", master -> text(uuid(master)))
            .rows(all),
        unreachable(all));
  }

  private ServerEntryPB self() {
    return ServerEntryPB.newBuilder()
        .setInstanceId(group.instance())
        .setRegistration(group.registration())
        .setRole(leads ? RaftPeerPB.Role.LEADER : RaftPeerPB.Role.FOLLOWER)
        .setMemberType(RaftPeerPB.MemberType.VOTER)
        .build();
  }

  private DomContent hint(List<ServerEntryPB> all) {
    List<HostPortPB> configured = group.addresses();
    if (all.size() == 1 && configured.size() > 1) {
      return p(
          "This master has not joined the others yet. They are expected at "
              + addresses(configured)
              + ".");
    }
    if (all.size() == 1) {
      return p("The cluster has this one master.");
    }
    boolean led = all.stream().anyMatch(master -> master.getRole() == RaftPeerPB.Role.LEADER);
    return p(
        led
            ? "Tables are shown by the leader. The first row is this master."
            : "No master leads at the moment. The first row is this master.");
  }

  private static DomContent address(ServerEntryPB master) {
    List<HostPortPB> rpc = master.getRegistration().getRpcAddressesList();
    String name = rpc.isEmpty() ? "unknown" : addresses(rpc);
    return ServerLinks.link(name, http(master), "/");
  }

  private static List<HostPortPB> http(ServerEntryPB master) {
    return master.getRegistration().getHttpAddressesList();
  }

  private static String addresses(List<HostPortPB> all) {
    return all.stream().map(ServerLinks::addressText).collect(Collectors.joining(", "));
  }

  private static DomContent role(ServerEntryPB master) {
    return switch (master.getRole()) {
      case LEADER -> Badges.good("leader");
      case FOLLOWER -> Badges.plain("follower");
      case LEARNER -> Badges.plain("learner");
      default -> Figures.none();
    };
  }

  private static DomContent state(ServerEntryPB master) {
    return master.hasError() ? Badges.bad("unreachable") : Badges.good("live");
  }

  private static DomContent member(ServerEntryPB master) {
    return text(master.getMemberType() == RaftPeerPB.MemberType.VOTER ? "voter" : "non-voter");
  }

  private static DomContent started(ServerEntryPB master) {
    return Figures.moment(TimeUnit.SECONDS.toMicros(master.getRegistration().getStartTime()));
  }

  private static String uuid(ServerEntryPB master) {
    return Ids.fromWire(master.getInstanceId().getPermanentUuid());
  }

  /** The reasons why masters could not be reached. They are shown below the table. */
  private static DomContent unreachable(List<ServerEntryPB> all) {
    String reasons =
        all.stream()
            .filter(ServerEntryPB::hasError)
            .map(master -> uuid(master) + ": " + master.getError().getMessage())
            .collect(Collectors.joining("; "));
    return reasons.isEmpty() ? null : p("Not reached: " + reasons + ".");
  }
}
