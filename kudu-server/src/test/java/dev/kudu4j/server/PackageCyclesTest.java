package dev.kudu4j.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Packages depend on each other in one direction only, and few of them depend on Ratis. */
@AnalyzeClasses(
    packages = "dev.kudu4j.server",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class PackageCyclesTest {
  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.kudu4j.server.(**)").should().beFreeOfCycles();

  /** The state machine extends a Ratis class, and an entry is a Ratis message. */
  @ArchTest
  static final ArchRule RATIS_STAYS_BEHIND_ITS_DOOR =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.kudu4j.server.raft..", "dev.kudu4j.server.transport..")
          .and()
          .haveNameNotMatching(".*\\.ReplicaStateMachine(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.ratis..");
}
