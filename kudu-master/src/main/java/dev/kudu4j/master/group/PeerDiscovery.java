package dev.kudu4j.master.group;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.masters.CatalogMemberPB;
import dev.kudu4j.common.proto.masters.IntroduceResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.master.catalog.CatalogMembers;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The result of asking all addresses of {@code --master_addresses} once.
 *
 * @param answers the valid responses, by address
 * @param failures why the remaining addresses sent no response, as text, by address
 */
record PeerDiscovery(Map<HostPort, IntroduceResponsePB> answers, Map<HostPort, String> failures) {
  private static final int MAX_MEMBERS = 32;

  /**
   * Checks a response and returns it. The check is strict, since the masters in it become members
   * of the catalog's group and are recorded there.
   *
   * @throws KuduException INVALID_ARGUMENT for a response with an invalid uuid or address
   */
  static IntroduceResponsePB checked(IntroduceResponsePB answer) {
    HexId.require("uuid", answer.getUuid());
    HostPortWire.require("raft_address", answer.getRaftAddress());
    if (answer.getMembersCount() > MAX_MEMBERS || answer.getFoundUuidsCount() > MAX_MEMBERS) {
      throw KuduException.invalidArgument(
          "An introduction names %d members and %d masters; %d are allowed",
          answer.getMembersCount(), answer.getFoundUuidsCount(), MAX_MEMBERS);
    }
    answer.getFoundUuidsList().forEach(uuid -> HexId.require("found_uuids", uuid));
    answer.getMembersList().forEach(CatalogMembers::fromWire);
    return answer;
  }

  /**
   * @throws KuduException INVALID_ARGUMENT when the uuid of the response is not a valid id
   */
  static String uuid(IntroduceResponsePB answer) {
    return HexId.require("uuid of a master", answer.getUuid());
  }

  boolean isComplete() {
    return failures.isEmpty();
  }

  /** The uuids of the masters that answered. */
  Set<String> uuids() {
    Set<String> uuids = new TreeSet<>();
    answers.values().forEach(answer -> uuids.add(uuid(answer)));
    return uuids;
  }

  /**
   * The masters that answered, as members of a group.
   *
   * @throws KuduException CONFIGURATION when two addresses lead to one master
   */
  List<RaftHost.Peer> peers() {
    Map<String, HostPort> addresses = new TreeMap<>();
    answers.forEach(
        (address, answer) -> {
          HostPort other = addresses.put(uuid(answer), address);
          if (other != null) {
            throw KuduException.configuration(
                "--master_addresses names one master twice, as %s and as %s", other, address);
          }
        });
    return answers.entrySet().stream().map(e -> peer(e.getKey(), e.getValue())).toList();
  }

  private static RaftHost.Peer peer(HostPort address, IntroduceResponsePB answer) {
    HostPortPB raft = HostPortWire.require("raft_address of a master", answer.getRaftAddress());
    return new RaftHost.Peer(uuid(answer), raft.getHost(), raft.getPort(), address.toString());
  }

  /** The members of the group of an existing catalog; empty if no master has a catalog. */
  List<RaftHost.Peer> members() {
    return answers.values().stream()
        .map(IntroduceResponsePB::getMembersList)
        .filter(members -> !members.isEmpty())
        .findFirst()
        .map(PeerDiscovery::fromWire)
        .orElse(List.of());
  }

  private static List<RaftHost.Peer> fromWire(List<CatalogMemberPB> members) {
    return members.stream().map(CatalogMembers::fromWire).toList();
  }

  /**
   * Whether all masters that answered have found exactly the masters that this master has found.
   */
  boolean agree() {
    Set<String> mine = uuids();
    return answers.values().stream().allMatch(answer -> foundUuids(answer).equals(mine));
  }

  private static Set<String> foundUuids(IntroduceResponsePB answer) {
    Set<String> found = new TreeSet<>();
    answer.getFoundUuidsList().forEach(uuid -> found.add(uuid.toStringUtf8()));
    return found;
  }

  /**
   * The masters that have found another set of masters than this one, with their sets. Masters that
   * have not yet found a master at every address are left out.
   */
  Map<HostPort, Set<String>> disagreeing() {
    Map<HostPort, Set<String>> others = new TreeMap<>(Comparator.comparing(HostPort::toString));
    answers.forEach(
        (address, answer) -> {
          Set<String> found = foundUuids(answer);
          if (!found.isEmpty() && !found.equals(uuids())) {
            others.put(address, found);
          }
        });
    return others;
  }
}
