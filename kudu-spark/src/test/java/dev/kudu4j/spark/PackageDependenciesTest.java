package dev.kudu4j.spark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.internal.connector.SupportsStreamingUpdateAsAppend;

/** The connector depends on the client only, and its packages have no dependency cycles. */
@AnalyzeClasses(packages = "dev.kudu4j.spark", importOptions = ImportOption.DoNotIncludeTests.class)
final class PackageDependenciesTest {
  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.kudu4j.spark.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule KNOWS_THE_CLIENT_ONLY =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.kudu4j.tablet..",
              "dev.kudu4j.server..",
              "dev.kudu4j.tserver..",
              "dev.kudu4j.master..",
              "dev.kudu4j.embedded..",
              "dev.kudu4j.tools..",
              "org.apache.kudu..");

  @ArchTest
  static final ArchRule KNOWS_SPARK_FROM_OUTSIDE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.kudu4j.spark.analysis..") // a rule of Spark's analyzer
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "org.apache.spark.sql.classic..",
                      "org.apache.spark.sql.execution..",
                      "org.apache.spark.sql.catalyst.expressions..",
                      "org.apache.spark.sql.catalyst.plans..",
                      "org.apache.spark.sql.internal..")
                  .and(not(type(SpecializedGetters.class))) // what rows and arrays have in common
                  .and(not(type(SupportsStreamingUpdateAsAppend.class)))); // there is no other way
}
